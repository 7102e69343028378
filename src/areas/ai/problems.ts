import { problem } from '../../core/problem.ts'

export const InvalidJson = problem('invalid_json', 400, 'The configuration must be a JSON object')
export const CredentialInvalid = problem('bad_request', 400, 'The credential is not valid')
export const VersionInvalid = problem('bad_request', 400, 'This is not a version of OpenClaw')
export const ProviderIncomplete = problem('bad_request', 400, 'The provider needs further values')
export const AlreadySetUp = problem('conflict', 409, 'The assistant is set up')
export const SettingUpAlready = problem('already_running', 409, 'The assistant is being set up')
export const UpdatingAlready = problem('already_running', 409, 'OpenClaw is being updated')
export const AccountInUse = problem('conflict', 409, 'The Linux account of the assistant belongs to a user')
export const VaultNameInvalid = problem('bad_request', 400, 'The name is not valid')
export const VaultNameReserved = problem('bad_request', 400, 'The name is used by the assistant itself')
export const VaultFull = problem('conflict', 409, 'The vault is full')
export const NoSuchEntry = problem('not_found', 404, 'The vault has no such entry')
export const ExportInvalid = problem(
  'bad_request',
  400,
  'This is not an export of a vault, or the passphrase is wrong',
)
export const CrontabRefused = problem('bad_request', 400, 'The crontab has a line that cron does not accept')
export const ChannelIncomplete = problem('bad_request', 400, 'The channel needs a token')
export const ConsoleOff = problem('conflict', 409, 'The console is stopped: start it first')
export const PortTaken = problem('conflict', 409, 'The port is in use')
export const TooManyConsoles = problem('conflict', 409, 'Too many text consoles of the assistant are open')
export const MarshalFailed = problem('marshal_failed', 500, 'The configuration could not be written as JSON')
export const ConfigUnsafe = problem(
  'bad_request',
  400,
  'The configuration would undo what the panel relies on',
)
