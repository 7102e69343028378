import type { Failures } from '../../../core/endpoint.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import { gitProblems as git } from '../../../host/owner/git/index.ts'
import { ownerProblems as owner } from '../../../host/owner/index.ts'
import { listed } from '../failures.ts'

/** What reading a repository answers. */
export const reading: Readonly<Record<string, Failures>> = {
  ...listed,
  bad_request: [
    owner.PathInvalid,
    owner.NotAFolder,
    owner.IsAFolder,
    owner.NotAFile,
    git.BadPath,
    git.BadValue,
    git.UrlRefused,
    fetchProblems.AddressRefused,
  ],
  not_found: [owner.NoSuchFile, git.NoSuchCommit, git.NoSuchRemote],
  not_a_repository: git.NotARepository,
  repository_refused: git.RepositoryRefused,
  vcs_failed: git.GitFailed,
}

/** What changing a repository answers besides. */
export const changing: Readonly<Record<string, Failures>> = {
  ...reading,
  already_exists: [owner.AlreadyThere, git.RemoteTaken],
  conflict: [owner.FileChanged, owner.FolderNotEmpty, git.InTheWay],
  nothing_to_commit: git.NothingToDo,
}

/** What beginning to reach another host answers; what it meets there the job tells. */
export const reaching: Readonly<Record<string, Failures>> = {
  ...changing,
  host_not_found: fetchProblems.HostNotFound,
}
