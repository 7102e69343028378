import { type Change, change, step } from '../../core/change.ts'
import { hardenedSite, type LoadedWebsite, websiteLocks } from '../websites/index.ts'
import type { WordPresses } from './context.ts'
import type { Installed } from './installations.ts'
import type { Hardening, HardeningEdit } from './model.ts'
import type { Read } from './run-script.ts'

const uploads = 'wp-content/uploads'
const xmlrpc = '/xmlrpc.php'
const signIns = '/wp-login.php'

/** Returns how a WordPress is protected. */
export const hardeningOf = (
  { settings }: Pick<LoadedWebsite, 'settings'>,
  { no_file_editing }: Pick<Read, 'no_file_editing'>,
): Hardening => ({
  no_php_in_uploads: settings.upload_folders.includes(uploads),
  no_file_editing,
  no_xmlrpc: settings.refused_scripts?.includes(xmlrpc) ?? false,
  limited_sign_ins: settings.sign_in_script === signIns,
})

interface Request {
  readonly now: Date
  readonly signal: AbortSignal
  readonly query: { readonly overwrite: boolean }
}

/** Changes the protection that is given, all in one change. */
export async function harden(
  on: WordPresses,
  { site, place }: Installed,
  edit: HardeningEdit,
  { now, signal, query }: Request,
): Promise<Change<Hardening>> {
  const was = hardeningOf(site, await on.ask(place, 'read', {}, { signal }))
  const next = { ...was, ...edit }
  const isServedOtherwise =
    next.no_php_in_uploads !== was.no_php_in_uploads ||
    next.no_xmlrpc !== was.no_xmlrpc ||
    next.limited_sign_ins !== was.limited_sign_ins
  const served = isServedOtherwise
    ? await hardenedSite(on.websites, site, settingsFor(site, next), { now, query })
    : undefined
  return change({
    summary: `Set ${Object.keys(edit).join(', ').replaceAll('_', ' ') || 'nothing'} of WordPress on ${site.domain}`,
    locks: websiteLocks([site.domain]),
    steps: [
      // the web server checks its part first: it is what can be refused
      ...(served?.steps ?? []),
      ...(next.no_file_editing === was.no_file_editing
        ? []
        : [step(on.steps.setFileEditing, { ...place, isForbidden: next.no_file_editing })]),
    ],
    rows: served?.rows ?? [],
    reply: next,
  })
}

function settingsFor({ settings }: LoadedWebsite, next: Hardening) {
  const others = settings.upload_folders.filter((folder) => folder !== uploads)
  return {
    upload_folders: next.no_php_in_uploads ? [uploads, ...others] : others,
    ...(next.no_xmlrpc && { refused_scripts: [xmlrpc] }),
    ...(next.limited_sign_ins && { sign_in_script: signIns }),
  }
}
