import type { AccountAccess } from './account-access.ts'
import type { Account, Accounts } from './accounts.ts'
import { readLive } from './apply/edited-file.ts'
import type { EditedTool, TextEdit } from './apply/edited-tool.ts'
import type { ApplyEdit } from './apply/edited.ts'
import type { Apply, Reconcile } from './apply/index.ts'
import { isAsWritten, stamped } from './apply/stamp.ts'
import type { FileEdit, OwnedTool } from './apply/tool.ts'
import type { Files } from './files.ts'
import type { Packages } from './packages.ts'
import type { ServiceVerb } from './services/driver.ts'
import type { Services } from './services.ts'

type Content = string | null

/** A write of one configuration file. */
export interface Writing {
  readonly tool: OwnedTool | EditedTool
  readonly path: string
  /** The content that the file is about to get, null if it is removed; absent if the edit does not fit the file as it is. */
  readonly expected?: Content
  /** The wanted content afterwards: `before` was wanted until this write, `former` until the previous one; undefined if unknown. */
  readonly wantedFrom: (before: Content | undefined, former: Content | undefined) => Content
}

/** What the panel sets of an account, as far as it is known. */
export type AccountSet = Pick<AccountAccess, 'expires'> & Partial<Pick<Account, 'uid' | 'home' | 'shell'>>

/**
 * Is told what the panel does to the host, so that what others do can be told from it. Each method carries the work out and
 * returns its result. It must not fail where the observer's own store does.
 */
export interface HostObserver {
  writing<Result>(writings: readonly Writing[], write: () => Promise<Result>): Promise<Result>
  /** A file is written as a whole, without a tool that applies it; null removes it. */
  replacing(path: string, content: string | Uint8Array | null, write: () => Promise<void>): Promise<void>
  /** `act` may have nothing to do: then the service is wanted as it is. */
  switching(service: string, verb: ServiceVerb, act: () => Promise<void>): Promise<void>
  /** `set` is what the work makes of the account, known in full from its result; null if it removes the account. */
  settingAccount<Result>(
    username: string,
    set: (result?: Result) => AccountSet | null,
    work: () => Promise<Result>,
  ): Promise<Result>
  /** Packages are removed, and services with them. */
  removingPackages(remove: () => Promise<void>): Promise<void>
}

interface Observable {
  readonly files: Files
  readonly apply: Apply
  readonly reconcile: Reconcile
  readonly applyEdit: ApplyEdit
  readonly services: Services
  readonly packages: Packages
  readonly accounts: Accounts
}

interface Observed extends Observable {
  /** Has an observer told from now on. A host has one at most. */
  observe(observer: HostObserver): void
}

/** Opens the parts of the host that change what the panel manages, so that an observer is told of each change. */
export function openObserved(parts: Observable): Observed {
  const { files, apply, applyEdit } = parts
  let observer: HostObserver | undefined
  const current = () => observer
  return {
    ...parts,
    apply: (tool, edits, options) => {
      const write = () => apply(tool, edits, options)
      if (observer === undefined || edits.length === 0) return write()
      return observer.writing(
        edits.map((edit) => writingOf(tool, edit)),
        write,
      )
    },
    applyEdit: (tool, edit) =>
      observer === undefined
        ? applyEdit(tool, edit)
        : observeEdit({ files, applyEdit, observer }, tool, edit),
    files: observeFiles(files, current),
    services: observeServices(parts.services, current),
    packages: {
      ...parts.packages,
      remove: (names, options) => {
        const remove = () => parts.packages.remove(names, options)
        return observer === undefined ? remove() : observer.removingPackages(remove)
      },
    },
    accounts: observeAccounts(parts.accounts, current),
    observe: (given) => {
      observer = given
    },
  }
}

function writingOf(tool: OwnedTool, { path, content, isVerbatim }: FileEdit): Writing {
  const written = content === null || isVerbatim ? content : stamped(content)
  const isOfPanel = written === null || isAsWritten(written)
  const wantedFrom: Writing['wantedFrom'] = (before, former) => {
    if (written === before) return written // a manual edit that was adopted
    // an undo writes a manual edit back: what was wanted then is wanted again
    const earlier = former === undefined ? before : former
    return isOfPanel || earlier === undefined ? written : earlier
  }
  return { tool, path, expected: written, wantedFrom }
}

interface Editing {
  readonly files: Files
  readonly applyEdit: ApplyEdit
  readonly observer: HostObserver
}

async function observeEdit({ files, applyEdit, observer }: Editing, tool: EditedTool, edit: TextEdit) {
  const { text } = await readLive(files, tool.path)
  const expected = previewEdit(edit, text)
  const made: { readonly from: string; readonly to: string }[] = []
  const watched: TextEdit = (from) => {
    const to = edit(from)
    made.push({ from, to })
    return to
  }
  const wantedFrom = (before: Content | undefined) => {
    const last = made.at(-1) ?? { from: text, to: text }
    if (typeof before !== 'string' || before === last.from) return last.to
    // others have edited the file: only this edit becomes wanted
    return previewEdit(edit, before) ?? last.to
  }
  const writing = { tool, path: tool.path, wantedFrom, ...(expected !== undefined && { expected }) }
  return observer.writing([writing], () => applyEdit(tool, watched))
}

/** Undefined if the edit does not fit the text. On the live text, `applyEdit` then says why. */
function previewEdit(edit: TextEdit, text: string): string | undefined {
  try {
    return edit(text)
  } catch {
    return undefined
  }
}

type Current = () => HostObserver | undefined

function observeFiles(files: Files, current: Current): Files {
  const replace = (path: string, content: string | Uint8Array | null, write: () => Promise<void>) =>
    current()?.replacing(path, content, write) ?? write()
  return {
    ...files,
    prepare: async (path, content, options) => {
      const prepared = await files.prepare(path, content, options)
      return { ...prepared, commit: () => replace(path, content, () => prepared.commit()) }
    },
    write: (path, content, options) => replace(path, content, () => files.write(path, content, options)),
    remove: (path) => replace(path, null, () => files.remove(path)),
  }
}

function observeServices(services: Services, current: Current): Services {
  const observed =
    (switchOf: Services['act']): Services['act'] =>
    (name, verb) => {
      const work = () => switchOf(name, verb)
      return current()?.switching(name, verb, work) ?? work()
    }
  const act = observed(services.act)
  return { ...services, act, confirm: observed(services.confirm), start: (name) => act(name, 'start') }
}

function observeAccounts(accounts: Accounts, current: Current): Accounts {
  const settle = <Result>(
    username: string,
    set: (result?: Result) => AccountSet | null,
    work: () => Promise<Result>,
  ) => current()?.settingAccount(username, set, work) ?? work()
  const created = (account?: Account): AccountSet => {
    if (account === undefined) return { expires: '' }
    const { uid, home, shell } = account
    return { uid, home, shell, expires: '' }
  }
  return {
    ...accounts,
    create: (username, options) => settle(username, created, () => accounts.create(username, options)),
    setAccess: (username, access) => {
      const { shell, expires } = access
      return settle(
        username,
        () => ({ shell, expires }),
        () => accounts.setAccess(username, access),
      )
    },
    remove: (username, options) =>
      settle(
        username,
        () => null,
        () => accounts.remove(username, options),
      ),
  }
}
