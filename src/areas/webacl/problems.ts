import { problem } from '../../core/problem.ts'

export const WebsiteNotFound = problem('not_found', 404, 'Website not found')
export const GroupNotFound = problem('not_found', 404, 'Group not found')
export const RulesetNotFound = problem('not_found', 404, 'Ruleset not found')
export const RuleNotFound = problem('not_found', 404, 'Rule not found')
export const ConditionNotFound = problem('not_found', 404, 'Condition not found')

export const GroupExists = problem('bad_request', 400, 'The group exists already')
export const GroupUsed = problem('bad_request', 400, 'A rule uses the group')
export const EntryInvalid = problem('bad_request', 400, 'The entry is not an address')
export const ConditionInvalid = problem('bad_request', 400, 'The condition is invalid')
export const OptionInvalid = problem('bad_request', 400, 'The option of the action is invalid')
export const OrderInvalid = problem('bad_request', 400, 'The order is incomplete')
export const TooMany = problem('bad_request', 400, 'The limit is reached')
export const LibraryRuleFixed = problem(
  'bad_request',
  400,
  'Only the conditions of a library rule can be changed',
)
export const ReplaysAlready = problem('already_running', 409, 'Logs of this owner are being replayed')
export const NotAppliable = problem('bad_request', 400, 'The rules cannot be applied')
export const RequestRefused = problem(
  'bad_request',
  400,
  'nginx refuses this request before any rule is evaluated',
)

export const RulesUnreadable = problem('read_error', 500, 'The file of the rules cannot be read')
export const RulesNotStored = problem('write_error', 500, 'The file of the rules cannot be written')
export const AptMissing = problem('unsupported', 500, 'This host has no apt')
