import { problem } from '../../core/problem.ts'

export const SqlRequired = problem(
  'sql_required',
  400,
  'PowerDNS keeps its zones in MariaDB: install and start it first',
)
export const AlreadyInstalled = problem('already_installed', 400, 'PowerDNS is set up already')
export const NotSetUp = problem('bad_request', 400, 'PowerDNS is not set up: install it first')
export const ConfigInvalid = problem('bad_request', 400, 'The configuration is invalid')
export const ZoneInvalid = problem('bad_request', 400, 'The zone is invalid')
export const RecordInvalid = problem('bad_request', 400, 'A record is invalid')
export const ForceRequired = problem(
  'force_required',
  409,
  'The change could take the zone offline: add force=true',
)
export const ZoneTaken = problem('conflict', 409, 'PowerDNS has a zone of this name')
export const ZoneNotFound = problem('not_found', 404, 'Zone not found')
export const RecordNotFound = problem('not_found', 404, 'Record not found')
export const AlreadySigned = problem('conflict', 409, 'The zone is signed')
export const NotSigned = problem('bad_request', 400, 'The zone is not signed')
export const RolloverInvalid = problem('bad_request', 400, 'The keys of the zone cannot be rolled over')
export const NotRolling = problem('bad_request', 400, 'The key of the zone is not being rolled over')
export const RollingAlready = problem('conflict', 409, 'The key of the zone is being rolled over')
export const RuleInvalid = problem('bad_request', 400, 'The smart rule is invalid')
export const GeoUnavailable = problem('bad_request', 400, 'Rules by country are not available')
export const RuleTaken = problem('conflict', 409, 'The name has a smart rule of this type')
export const RuleNotFound = problem('not_found', 404, 'Smart rule not found')
export const ReplicationInvalid = problem('bad_request', 400, 'The replication settings are invalid')
export const ZoneFileInvalid = problem('bad_request', 400, 'The zone file is invalid')
export const TemplateInvalid = problem('bad_request', 400, 'The template is invalid')
export const TemplateTaken = problem('conflict', 409, 'There is a template of this name')
export const SyncServerInvalid = problem('bad_request', 400, 'The sync server is invalid')
export const SyncServerTaken = problem('conflict', 409, 'There is a sync server of this name')
export const SyncZoneInvalid = problem('bad_request', 400, 'The zone cannot be synchronised')
