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

/** What the panel has set of an account. */
export type AccountSet = Pick<AccountAccess, 'shell' | 'expires'> & Partial<Pick<Account, 'uid' | 'home'>>

/** Is told what the panel does to the host, so that what others do can be told from it. It must not fail where its own store does. */
export interface HostObserver {
  /** Carries out a write of files, and returns its result. */
  writing<Result>(writings: readonly Writing[], write: () => Promise<Result>): Promise<Result>
  /** A file was written as a whole, without a tool that applies it; null if it was removed. */
  written(path: string, content: string | Uint8Array | null): Promise<void>
  /** A service did what the panel asked. */
  switched(service: string, verb: ServiceVerb): Promise<void>
  /** An account was created or changed; null if it was removed. */
  accountSet(username: string, set: AccountSet | null): Promise<void>
  /** Packages were removed, and services with them. */
  packagesRemoved(): Promise<void>
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
      remove: async (names, options) => {
        await parts.packages.remove(names, options)
        await observer?.packagesRemoved()
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
  const prepare: Files['prepare'] = async (path, content, options) => {
    const prepared = await files.prepare(path, content, options)
    const commit = async () => {
      await prepared.commit()
      await current()?.written(path, content)
    }
    return { ...prepared, commit }
  }
  return {
    ...files,
    prepare,
    write: async (path, content, options) => {
      await files.write(path, content, options)
      await current()?.written(path, content)
    },
    remove: async (path) => {
      await files.remove(path)
      await current()?.written(path, null)
    },
  }
}

function observeServices(services: Services, current: Current): Services {
  const act: Services['act'] = async (name, verb) => {
    await services.act(name, verb)
    await current()?.switched(name, verb)
  }
  return { ...services, act, start: (name) => act(name, 'start') }
}

function observeAccounts(accounts: Accounts, current: Current): Accounts {
  return {
    ...accounts,
    create: async (username, options) => {
      const account = await accounts.create(username, options)
      const { uid, home, shell } = account
      await current()?.accountSet(username, { uid, home, shell, expires: '' })
      return account
    },
    setAccess: async (username, access) => {
      await accounts.setAccess(username, access)
      await current()?.accountSet(username, { shell: access.shell, expires: access.expires })
    },
    remove: async (username, options) => {
      await accounts.remove(username, options)
      await current()?.accountSet(username, null)
    },
  }
}
