import { problem } from '../../core/problem.ts'

export const DraftInvalid = problem('bad_request', 400, 'The container is invalid')
export const ConfirmationMissing = problem('bad_request', 400, 'A dangerous option must be confirmed')
export const ContainerMissing = problem('not_found', 404, 'Container not found')
/** The contract has no 404 for the removal of a container. */
export const NothingToRemove = problem('container_error', 500, 'There is no such container')
export { EngineFailed, ImageUnavailable, NameTaken } from '../../tools/docker/index.ts'
export const BackupMissing = problem('not_found', 404, 'Backup not found')
export const ContainerStopped = problem('conflict', 409, 'The container does not run')
export const UpToDate = problem('conflict', 409, 'There is no newer image')
export const PortUnpublished = problem('bad_request', 400, 'The container does not publish that port')
