import type { Caller } from '../../../core/caller.ts'
import { local } from '../../../core/endpoint.ts'
import type { Context } from '../context.ts'
import type { Naming } from '../whose-files.ts'

type Asked = { readonly caller: Caller } & Context

/** Whose files a query means. */
export const byQuery = ({ query, caller, filemanager }: { readonly query: Naming } & Asked) =>
  filemanager.whose(query, caller)

/** Whose files a body means. */
export const byBody = ({ body, caller, filemanager }: { readonly body: Naming } & Asked) =>
  filemanager.whose(body, caller)

export const hourMs = 3_600_000

/** Files in homes are mirrored with backups, not call by call. */
export const homeFiles = local('no category covers the files in homes')
