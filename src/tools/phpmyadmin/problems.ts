import { problem } from '../../core/problem.ts'

export const DownloadFailed = problem('download_error', 500, 'phpMyAdmin could not be downloaded')
export const ExtractFailed = problem('extract_error', 500, 'The archive of phpMyAdmin could not be unpacked')
export const TokenFailed = problem('token_error', 500, 'The one-time file could not be written')
