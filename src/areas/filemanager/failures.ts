import { at, type Failures } from '../../core/endpoint.ts'
import type { ProblemKind } from '../../core/problem.ts'
import { ownerProblems as owner } from '../../host/owner/index.ts'
import { RangeNotSatisfiable } from './read.ts'

/** Failures of endpoints that the contract lists without details (decision 3.18). */
export const listed: Readonly<Record<string, Failures>> = {
  bad_request: [owner.PathInvalid, owner.NotAFolder, owner.IsAFolder, owner.NotAFile, owner.ArchiveRefused],
  forbidden: owner.NotPermitted,
  not_found: owner.NoSuchFile,
  already_exists: owner.AlreadyThere,
  conflict: [owner.FileChanged, owner.FolderNotEmpty],
  payload_too_large: owner.TooLarge,
  insufficient_storage: owner.DiskFull,
  server_error: owner.HelperFailed,
  unavailable: [owner.OwnerUnavailable, owner.ToolMissing],
}

/** Failures of an endpoint with its own failure code: all problems of the file use that code; only an invalid path is 400. */
export const own = (
  code: string,
  ...further: readonly ProblemKind[]
): Readonly<Record<string, Failures>> => ({
  bad_request: owner.PathInvalid,
  [code]: at(
    500,
    owner.NoSuchFile,
    owner.NotPermitted,
    owner.AlreadyThere,
    owner.FolderNotEmpty,
    owner.NotAFolder,
    owner.IsAFolder,
    owner.NotAFile,
    owner.FileChanged,
    owner.DiskFull,
    owner.TooLarge,
    owner.ArchiveRefused,
    owner.ToolMissing,
    owner.HelperFailed,
    ...further,
  ),
  unavailable: owner.OwnerUnavailable,
})

/** Failures of `download`: every problem that prevents sending the file is 400, except a range beyond its end. */
export const unresolvable: Readonly<Record<string, Failures>> = {
  bad_request: at(
    400,
    ...[
      owner.PathInvalid,
      owner.NoSuchFile,
      owner.NotAFolder,
      owner.IsAFolder,
      owner.NotAFile,
      owner.NotPermitted,
      owner.FileChanged,
    ],
  ),
  range_not_satisfiable: RangeNotSatisfiable,
  server_error: owner.HelperFailed,
  unavailable: owner.OwnerUnavailable,
}
