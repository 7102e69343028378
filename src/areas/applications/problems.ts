import { problem } from '../../core/problem.ts'

export const FolderUsed = problem('conflict', 409, 'The folder of the website has files already')
export const DownloadFailed = problem('download_failed', 502, 'The application could not be downloaded')
export const ArchiveWrong = problem('download_failed', 502, 'The archive is not what its publisher says')
export const PackageUnreadable = problem('package_failed', 500, 'The package could not be read')
export const SetUpFailed = problem('set_up_failed', 500, 'The application could not be set up')
export const EmailMissing = problem('bad_request', 400, 'The administrator needs an e-mail address')
