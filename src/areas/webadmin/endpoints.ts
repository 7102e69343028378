import { at, failures, local } from '../../core/endpoint.ts'
import { EditedByHand } from '../../core/problem.ts'
import { awaited, data } from '../../core/reply.ts'
import { DiskFull } from '../../host/files.ts'
import { notTaken } from '../../tools/nginx/index.ts'
import { AccountFailed, DownloadFailed, ExtractFailed, TokenFailed } from '../../tools/phpmyadmin/index.ts'
import { endpoint } from './context.ts'
import { draftInstallation, installing } from './install.ts'
import { Webadmin, WebadminAddress, WebadminLogin } from './model.ts'
import { NoAlias, NoPassword, NotInstalled } from './problems.ts'
import { signIn } from './sign-in.ts'
import * as status from './status.ts'
import { updating } from './update.ts'

const category = local('each host has a web admin of its own')
const throws = {
  download_error: DownloadFailed,
  extract_error: at(500, ExtractFailed, DiskFull),
  config_failed: notTaken,
  edited_by_hand: EditedByHand,
}

const notServed = { not_installed: NotInstalled, no_alias: NoAlias }

export const readWebadmin = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read whether phpMyAdmin is installed, and where it is served',
  effect: 'reads',
  reply: data(Webadmin),
  run: ({ webadmin }) => status.readWebadmin(webadmin),
})

export const installWebadmin = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install phpMyAdmin and serve it below a random path',
  description:
    'Downloads the newest version from the first address of `webadmin_url` that has it, verifies its SHA-256, and serves it with a Linux account and a PHP pool of its own. It is updated every month. One that is installed is served again, with the same path and configuration.',
  effect: 'changes',
  category,
  reply: awaited(installing, { status: 200, shape: 'flat' }),
  throws: failures(throws, { account_failed: AccountFailed }),
  run: () => draftInstallation(),
})

export const signInToWebadmin = endpoint({
  method: 'POST',
  path: '/login',
  summary: 'Return an address that signs a browser in to phpMyAdmin, once and within 60 seconds',
  effect: 'changes',
  category,
  body: WebadminLogin,
  reply: data(WebadminAddress),
  throws: failures(notServed, {
    no_password: NoPassword,
    token_error: at(500, TokenFailed, DiskFull),
  }),
  run: ({ webadmin, body, now }) => signIn(webadmin, body.db_user, now),
})

export const updateWebadmin = endpoint({
  method: 'POST',
  path: '/update',
  summary: 'Update phpMyAdmin to the newest version, with the same path and configuration',
  effect: 'changes',
  category,
  reply: awaited(updating, { status: 200, shape: 'flat' }),
  throws: failures(throws, notServed),
  run: () => ({}),
})
