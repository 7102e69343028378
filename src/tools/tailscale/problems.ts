import { problem } from '../../core/problem.ts'

export const DownloadFailed = problem('download_error', 500, 'The mesh client could not be downloaded')
export const UnpackFailed = problem(
  'install_error',
  500,
  'The archive of the mesh client could not be unpacked',
)
export const ClientFailed = problem('mesh_client_error', 500, 'The mesh client did not do what was asked')
