import { problem } from '../../core/problem.ts'

export const NameInvalid = problem('bad_request', 400, 'The name is too long with the prefix of its owner')
export const EncodingUnknown = problem(
  'bad_request',
  400,
  'The server has no such character set or collation',
)
export const HostInvalid = problem('bad_request', 400, 'The host is none that users can connect from')
export const AlreadyAssociated = problem('conflict', 409, 'The database belongs to a website')
export const NameTaken = problem('conflict', 409, 'The name is taken')
export const CopyingAlready = problem('conflict', 409, 'A copy is being made: wait for its job')
export const NotCopied = problem('bad_request', 400, 'Databases of this engine are not copied')
export const OutsideHome = problem('forbidden', 403, 'The file is outside of the folder for dumps')
export const UserMissing = problem('conflict', 409, 'The database has no user')
