import { type Deciding, failures, local } from '../../core/endpoint.ts'
import { awaited, data, list, succeeded } from '../../core/reply.ts'
import { noWayBack } from '../sitebackups/index.ts'
import { notServed, Overwriting, SettingInvalid } from '../websites/index.ts'
import { altering, drawCoreUpdate, drawDeletion, drawUpdate } from './alter.ts'
import { type Context, endpoint } from './context.ts'
import * as verbs from './wordpress.ts'
import { harden } from './hardening.ts'
import { listInstallations, loadInstalled } from './installations.ts'
import {
  Checked,
  CoreUpdateDraft,
  DeletionDraft,
  Hardening,
  HardeningEdit,
  Installation,
  InstallationPath,
  ItemState,
  SignInDraft,
  SignInLink,
  UpdateDraft,
  WordPress,
} from './model.ts'
import * as problems from './problems.ts'
import { setItemState } from './set-state.ts'
import { makeSignInLink } from './sign-in.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, wordpress }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadInstalled(wordpress, params.id, caller)

const ofWordPress = endpoint.with({ params: InstallationPath, target: load })
const unread = { not_found: problems.NotWordPress, wordpress_failed: problems.ScriptFailed }
const own = local('the files and the database of a website are not mirrored')

export const listWordPress = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the websites with WordPress in their document root: your own, or all for a superuser',
  effect: 'reads',
  reply: list(Installation, { sort: ['domain'], search: ['domain'] }),
  run: ({ query, caller, wordpress }) => listInstallations(wordpress, query, caller),
})

export const readWordPress = ofWordPress({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a WordPress: its version, plugins, themes, known updates, administrators and hardening',
  description:
    'Updates are those that WordPress found when it last looked. Neither plugins nor themes are loaded, but for must-use plugins.',
  effect: 'reads',
  reply: data(WordPress),
  throws: unread,
  run: ({ target, signal, wordpress }) => verbs.readWordPress(wordpress, target, signal),
})

export const lookForUpdates = ofWordPress({
  method: 'POST',
  path: '/{id}/check',
  summary: 'Have WordPress look for updates at api.wordpress.org',
  effect: 'probes',
  reply: data(Checked),
  throws: failures(unread, { check_failed: problems.CheckFailed }),
  run: ({ target, signal, wordpress }) => verbs.lookForUpdates(wordpress, target, signal),
})

export const setItemActive = ofWordPress({
  method: 'POST',
  path: '/{id}/state',
  summary: 'Activate or deactivate a plugin, or replace the active theme',
  description: 'A website that answered before, and fails afterwards, gets the former state back.',
  effect: 'changes',
  category: own,
  body: ItemState,
  reply: succeeded,
  throws: failures(unread, {
    bad_request: problems.ItemUnknown,
    conflict: problems.ItemInUse,
    activation_failed: problems.ActivationFailed,
  }),
  run: ({ target, body, signal, wordpress }) => setItemState(wordpress, target, body, signal),
})

export const updateItems = ofWordPress({
  method: 'POST',
  path: '/{id}/updates',
  summary: 'Update plugins and themes, and take it back if the website fails afterwards',
  description:
    'A backup of the website is made before, in the set before-restore. The package is that of the known update, a zip archive in the home of the owner, or one that is downloaded and has the given SHA-256. Where the front page or the page of sign-ins fails afterwards, files and databases are restored from the backup.',
  effect: 'changes',
  category: own,
  body: UpdateDraft,
  reply: awaited(altering, { status: 200, shape: 'data' }),
  throws: failures(unread, noWayBack, {
    bad_request: [problems.ItemUnknown, problems.NoUpdate, problems.SourceInvalid],
    conflict: [problems.DatabaseApart, problems.BackupIncomplete],
    site_broken: problems.SiteBroken,
    already_running: problems.AlteringAlready,
    download_failed: [problems.DownloadFailed, problems.PackageWrong],
    update_failed: problems.UpdateFailed,
  }),
  run: ({ target, body }) => drawUpdate(target, body),
})

export const updateCore = ofWordPress({
  method: 'POST',
  path: '/{id}/core/update',
  summary: 'Update WordPress itself, and take it back if the website fails afterwards',
  description:
    'A backup of the website is made before, in the set before-restore. The package is that of the known update, a zip archive in the home of the owner, or one that is downloaded and has the given SHA-256. It must be WordPress, and no older than that of the website. Its own upgrader installs it, and upgrades the database. Where the front page or the page of sign-ins fails afterwards, files and databases are restored from the backup.',
  effect: 'changes',
  category: own,
  body: CoreUpdateDraft,
  reply: awaited(altering, { status: 200, shape: 'data' }),
  throws: failures(unread, noWayBack, {
    bad_request: [problems.NoUpdate, problems.SourceInvalid],
    conflict: [problems.DatabaseApart, problems.BackupIncomplete],
    site_broken: problems.SiteBroken,
    already_running: problems.AlteringAlready,
    download_failed: [problems.DownloadFailed, problems.PackageWrong],
    update_failed: problems.UpdateFailed,
  }),
  run: ({ target, body }) => drawCoreUpdate(target, body),
})

export const deleteItems = ofWordPress({
  method: 'POST',
  path: '/{id}/deletions',
  summary: 'Delete plugins and themes that are not in use, with what they store',
  description: 'A backup of the website is made before, to which it goes back if it fails afterwards.',
  effect: 'destroys',
  category: own,
  body: DeletionDraft,
  reply: awaited(altering, { status: 200, shape: 'data' }),
  throws: failures(unread, noWayBack, {
    bad_request: problems.ItemUnknown,
    conflict: [problems.ItemInUse, problems.DatabaseApart, problems.BackupIncomplete],
    site_broken: problems.SiteBroken,
    already_running: problems.AlteringAlready,
    update_failed: problems.UpdateFailed,
  }),
  run: ({ target, body }) => drawDeletion(target, body),
})

export const hardenWordPress = ofWordPress({
  method: 'PATCH',
  path: '/{id}/hardening',
  summary: 'Change how a WordPress is protected',
  effect: 'changes',
  category: own,
  query: Overwriting,
  body: HardeningEdit,
  reply: data(Hardening),
  throws: failures(unread, notServed, {
    bad_request: SettingInvalid,
    conflict: problems.ConfigUnclear,
  }),
  run: ({ target, body, wordpress, ...request }) => harden(wordpress, target, body, request),
})

export const createSignInLink = ofWordPress({
  method: 'POST',
  path: '/{id}/sign-in',
  summary: 'Make a link that signs an administrator in to WordPress once, within five minutes',
  effect: 'changes',
  category: own,
  body: SignInDraft,
  reply: data(SignInLink),
  throws: failures(unread, { bad_request: problems.UserUnknown }),
  run: ({ target, body, wordpress, ...request }) => makeSignInLink(wordpress, target, body, request),
})
