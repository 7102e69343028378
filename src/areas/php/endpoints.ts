import { failures, local } from '../../core/endpoint.ts'
import { accepted, data, succeeded } from '../../core/reply.ts'
import { ConfigRejected, notTaken } from '../../host/apply/problems.ts'
import * as config from './config.ts'
import { endpoint } from './context.ts'
import {
  PhpConfig,
  PhpConfigEdit,
  PhpSecurity,
  PhpSecurityEdit,
  PhpVersions,
  VersionChoice,
  VersionPath,
} from './model.ts'
import { PackagesBusy, SettingInvalid, VersionInUse, VersionUnknown } from './problems.ts'
import * as security from './security.ts'
import { installing, readVersions, removing } from './versions.ts'

const ofThisHost = local('each host has versions of PHP of its own')
const ofSettings = endpoint.with({ base: '/settings' })
const notLoaded = { config_failed: notTaken }

export const listVersions = ofSettings({
  method: 'GET',
  path: '/php/available',
  summary: 'List the versions of PHP that are installed, or can be',
  effect: 'reads',
  reply: data(PhpVersions),
  timeoutMs: 60_000,
  run: ({ php }) => readVersions(php),
})

export const installVersion = ofSettings({
  method: 'POST',
  path: '/php/install',
  summary: 'Install a version of PHP with the usual extensions, and start it',
  effect: 'changes',
  category: ofThisHost,
  body: VersionChoice,
  reply: accepted(installing),
  timeoutMs: 120_000,
  throws: failures({ bad_request: VersionUnknown, already_running: PackagesBusy }),
  run: ({ body }) => body,
})

export const removeVersion = ofSettings({
  method: 'POST',
  path: '/php/remove',
  summary: 'Remove a version of PHP that no website uses',
  effect: 'destroys',
  category: ofThisHost,
  body: VersionChoice,
  reply: accepted(removing),
  throws: failures({ bad_request: VersionUnknown, conflict: VersionInUse, already_running: PackagesBusy }),
  run: ({ body }) => body,
})

export const readConfig = ofSettings({
  method: 'GET',
  path: '/php/{version}/config',
  summary: 'Read the directives of a version of PHP, their effective values and where these come from',
  effect: 'reads',
  params: VersionPath,
  reply: data(PhpConfig),
  timeoutMs: 60_000,
  throws: failures({ bad_request: VersionUnknown, config_failed: ConfigRejected }),
  run: ({ params, php }) => config.readConfig(php, params.version),
})

export const changeConfig = ofSettings({
  method: 'POST',
  path: '/php/{version}/config',
  summary: 'Set directives in the php.ini of a version of PHP',
  description:
    'Everything else in the file stays as it is. PHP reads the new file before it replaces the old one.',
  effect: 'changes',
  category: ofThisHost,
  params: VersionPath,
  body: PhpConfigEdit,
  reply: succeeded,
  timeoutMs: 600_000,
  throws: failures({ bad_request: [VersionUnknown, SettingInvalid], ...notLoaded }),
  run: ({ params, body, php }) => config.changeConfig(php, params.version, body),
})

export const readSecurity = ofSettings({
  method: 'GET',
  path: '/php-security',
  summary: 'Read what the PHP of websites may not do, and the exceptions',
  effect: 'reads',
  reply: data(PhpSecurity),
  run: ({ php }) => security.readSecurity(php),
})

export const changeSecurity = ofSettings({
  method: 'POST',
  path: '/php-security',
  summary: 'Disable functions and fix directives in the PHP of all websites, with exceptions',
  description: 'A field that is left out stays as it is.',
  effect: 'changes',
  category: ofThisHost,
  body: PhpSecurityEdit,
  reply: succeeded,
  timeoutMs: 600_000,
  throws: failures({ bad_request: SettingInvalid, ...notLoaded }),
  run: ({ body, php }) => security.changeSecurity(php, body),
})
