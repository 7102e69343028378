import Type from 'typebox'
import { pathField, ownerFields } from '../model.ts'

const Place = Type.Object({
  ...pathField('src_path', 'What is placed'),
  ...pathField('dst_path', 'Where it stands then, with its name'),
  overwrite: Type.Boolean({
    default: false,
    description: 'Replace a file that stands there, and join folders',
  }),
})

const many = { minItems: 1, maxItems: 1000, expects: 'a list of 1 to 1000 places' }

/** Sources and destinations of many entries, each with its own choice on overwriting. */
export const PlacesBody = Type.Object({ ...ownerFields, places: Type.Array(Place, many) })
