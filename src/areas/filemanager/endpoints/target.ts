import type { Caller } from '../../../core/caller.ts'
import { local } from '../../../core/endpoint.ts'
import { type Context, endpoint } from '../context.ts'
import { listed } from '../failures.ts'
import { findNamedFiles, type Naming } from '../named-files.ts'

type Asked = { readonly caller: Caller } & Context

/** Finds the hosting user whose files a query names. */
export const byQuery = ({ query, caller, filemanager }: { readonly query: Naming } & Asked) =>
  findNamedFiles(filemanager, query, caller)

/** Finds the hosting user whose files a body names. */
export const byBody = ({ body, caller, filemanager }: { readonly body: Naming } & Asked) =>
  findNamedFiles(filemanager, body, caller)

/** Files in homes are mirrored by backups, not by replaying calls. */
export const homeFiles = local('no category covers the files in homes')

export const hourMs = 3_600_000

/** Reads the files of the hosting user whom the query names. */
export const readingFiles = endpoint.with({ target: byQuery, throws: listed })

/** Changes the files of the hosting user whom the body names. */
export const changingFiles = endpoint.with({ category: homeFiles, target: byBody })
