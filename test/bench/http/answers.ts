import { permissions, permissionSlugs } from '../../../src/core/permissions.ts'

/** The reply of both servers to the GET. */
export const slugs = permissionSlugs.map((slug) => ({ slug, title: permissions[slug] }))

/** A body of the POST. */
export interface Note {
  readonly name: string
  readonly text: string
  readonly port: number
  readonly tags: string[]
  readonly is_open: boolean
}

/** The reply of both servers to the POST. */
export const note = ({ name, text, port, tags, is_open }: Note): Note => ({ name, text, port, tags, is_open })

export const sentNote: Note = {
  name: 'backend-1',
  text: 'Serves the shop',
  port: 8080,
  tags: ['shop', 'eu', 'primary'],
  is_open: true,
}
