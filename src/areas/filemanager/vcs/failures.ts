import { failures, type Failures } from '../../../core/endpoint.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import { gitProblems as git } from '../../../host/owner/git/index.ts'
import { listed } from '../failures.ts'

/** Failures of reading a repository. */
export const reading: Readonly<Record<string, Failures>> = failures(listed, {
  bad_request: [git.BadPath, git.BadValue, git.UrlRefused, fetchProblems.AddressRefused],
  not_found: [git.NoSuchCommit, git.NoSuchRemote],
  not_a_repository: git.NotARepository,
  repository_refused: git.RepositoryRefused,
  vcs_failed: git.GitFailed,
})

/** Failures of changing a repository, including those of reading. */
export const changing: Readonly<Record<string, Failures>> = failures(reading, {
  already_exists: git.RemoteTaken,
  conflict: git.InTheWay,
  nothing_to_commit: git.NothingToDo,
})

/** Failures of starting a transfer with another host; the job reports failures of the transfer itself. */
export const reaching: Readonly<Record<string, Failures>> = failures(changing, {
  host_not_found: fetchProblems.HostNotFound,
})
