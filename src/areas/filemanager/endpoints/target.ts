import type { Caller } from '../../../core/caller.ts'
import { local } from '../../../core/endpoint.ts'
import type { Context } from '../context.ts'
import { findNamedFiles, type Naming } from '../named-files.ts'

type Asked = { readonly caller: Caller } & Context

/** Finds the hosting user whose files a query names. */
export const byQuery = ({ query, caller, filemanager }: { readonly query: Naming } & Asked) =>
  findNamedFiles(filemanager, query, caller)

/** Finds the hosting user whose files a body names. */
export const byBody = ({ body, caller, filemanager }: { readonly body: Naming } & Asked) =>
  findNamedFiles(filemanager, body, caller)

export const hourMs = 3_600_000

/** Files in homes are mirrored by backups, not by replaying calls. */
export const homeFiles = local('no category covers the files in homes')
