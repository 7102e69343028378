import { at, type Failures } from '../../core/endpoint.ts'
import { ownerProblems } from '../../host/owner/index.ts'

/** Failures that prevent authorized_keys from being read or written under the uid of its owner. */
export const fileFailures: Readonly<Record<string, Failures>> = {
  file_failed: at(
    500,
    ownerProblems.NotPermitted,
    ownerProblems.NotAFile,
    ownerProblems.NotAFolder,
    ownerProblems.NoSuchFile,
    ownerProblems.AlreadyThere,
    ownerProblems.FileChanged,
    ownerProblems.HelperFailed,
  ),
  insufficient_storage: ownerProblems.DiskFull,
  unavailable: ownerProblems.OwnerUnavailable,
}
