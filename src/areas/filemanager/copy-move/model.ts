import Type from 'typebox'
import { pathField, whose } from '../model.ts'

const Place = Type.Object({
  ...pathField('src_path', 'What is placed'),
  ...pathField('dst_path', 'Where it stands then, with its name'),
  overwrite: Type.Boolean({
    default: false,
    description: 'Replace a file that stands there, and join folders',
  }),
})

const many = { minItems: 1, maxItems: 1000, expects: 'a list of 1 to 1000 places' }

/** Where many things go: each with its source, its place and what becomes of what stands there. */
export const PlacesBody = Type.Object({ ...whose, places: Type.Array(Place, many) })
