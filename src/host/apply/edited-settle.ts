import { Conflict } from '../../core/problem.ts'
import type { Files, PreparedFile } from '../files.ts'
import { prepareChecked } from './edited-check.ts'
import { isSameFile, type LiveFile, readLive } from './edited-file.ts'
import type { EditApplied, EditedTool, TextEdit } from './edited-tool.ts'
import { ConfigRejected, ReloadFailed, RestoreFailed } from './problems.ts'
import type { Activation } from './tool.ts'

/** A caller that waits for an edit. */
export interface WaitingEdit {
  readonly edit: TextEdit
  readonly resolve: (applied: EditApplied) => void
  readonly reject: (error: unknown) => void
}

const mostReadings = 5

/** Settles every edit of a batch: resolved when it is live, rejected with its own reason. Never rejects itself. */
export async function settleEdits(
  files: Files,
  tool: EditedTool,
  batch: readonly WaitingEdit[],
): Promise<void> {
  try {
    await tool.assertAvailable()
    for (let readings = 1; ; readings++) {
      const again = await settleOnce(files, tool, batch)
      if (again === 'done') return
      if (again !== 'changed') {
        for (const part of again) await settleEdits(files, tool, part)
        return
      }
      if (readings === mostReadings) throw Conflict(`${tool.path} is being edited by another user`)
    }
  } catch (error) {
    for (const each of batch) each.reject(error) // no effect on an edit that is already settled
  }
}

/** `changed`: another writer changed the file, and nothing was done. Parts: they were rejected together, and are to be retried separately. */
async function settleOnce(
  files: Files,
  tool: EditedTool,
  batch: readonly WaitingEdit[],
): Promise<'done' | 'changed' | readonly (readonly WaitingEdit[])[]> {
  const live = await readLive(files, tool.path)
  const rejections = new Map<WaitingEdit, unknown>()
  const checking: Checking = { files, tool, live, rejections, candidate: undefined }
  try {
    const { text, accepted } = await acceptable(checking, live.text, batch)
    if (!isSameFile(await readLive(files, tool.path), live)) return 'changed'
    for (const [each, error] of rejections) each.reject(error)
    if (text === live.text || checking.candidate === undefined) {
      for (const each of accepted) each.resolve({ isChanged: false, isLive: true })
      return 'done'
    }
    const activation = await place(files, tool, checking.candidate)
    if (activation.outcome !== 'refused') {
      for (const each of accepted) each.resolve({ isChanged: true, isLive: activation.outcome === 'live' })
      return 'done'
    }
    if (accepted.length === 1) throw ReloadFailed(activation.message)
    const middle = Math.ceil(accepted.length / 2)
    return [accepted.slice(0, middle), accepted.slice(middle)]
  } finally {
    await checking.candidate?.discard()
  }
}

interface Checking {
  readonly files: Files
  readonly tool: EditedTool
  readonly live: LiveFile
  readonly rejections: Map<WaitingEdit, unknown>
  /** The last text that the checker accepted, prepared; undefined while that is the live one. */
  candidate: PreparedFile | undefined
}

interface Accepted {
  readonly text: string
  readonly accepted: readonly WaitingEdit[]
}

/** Composes a group on a text that the checker already accepts; a rejected group is halved until its bad edits are isolated. */
async function acceptable(
  checking: Checking,
  base: string,
  group: readonly WaitingEdit[],
): Promise<Accepted> {
  const { text, accepted, late } = compose(base, group, checking.rejections)
  const checked =
    text === base ? { text, accepted } : await checkedOrHalved(checking, base, { text, accepted })
  // the conflict of an edit may be caused by a bad one before it
  return late.length === 0 ? checked : joined(checked, await acceptable(checking, checked.text, late))
}

async function checkedOrHalved(
  checking: Checking,
  base: string,
  { text, accepted }: Accepted,
): Promise<Accepted> {
  const checked = await prepareChecked(checking, text)
  if ('candidate' in checked) {
    await checking.candidate?.discard()
    checking.candidate = checked.candidate
    return { text, accepted }
  }
  if (accepted.length === 1) {
    checking.rejections.set(accepted[0]!, ConfigRejected(checked.refused))
    return { text: base, accepted: [] }
  }
  const middle = Math.ceil(accepted.length / 2)
  const first = await acceptable(checking, base, accepted.slice(0, middle))
  return joined(first, await acceptable(checking, first.text, accepted.slice(middle)))
}

const joined = (one: Accepted, other: Accepted): Accepted => ({
  text: other.text,
  accepted: [...one.accepted, ...other.accepted],
})

/** An edit that throws is rejected only if no edit before it may still be rejected; otherwise it is late. */
function compose(base: string, group: readonly WaitingEdit[], rejections: Map<WaitingEdit, unknown>) {
  let text = base
  const accepted: WaitingEdit[] = []
  const late: WaitingEdit[] = []
  for (const each of group) {
    try {
      text = each.edit(text)
      accepted.push(each)
    } catch (error) {
      if (accepted.length === 0) rejections.set(each, error)
      else late.push(each)
    }
  }
  return { text, accepted, late }
}

/** Puts the candidate in place and activates it; if the program rejects it, the old file is restored. */
async function place(files: Files, tool: EditedTool, candidate: PreparedFile): Promise<Activation> {
  const kept = await files.keep(tool.path)
  try {
    await candidate.commit()
    const activation = await activate(tool)
    if (activation.outcome !== 'refused') return activation
    await (kept === undefined ? files.remove(tool.path) : kept.restore())
    const restored = await activate(tool)
    if (restored.outcome === 'refused')
      throw RestoreFailed(`${activation.message}\nThe old file is back, but: ${restored.message}`)
    return activation
  } finally {
    await kept?.forget()
  }
}

/** A reload that throws counts as rejected, so that the file is restored in any case. */
async function activate(tool: EditedTool): Promise<Activation> {
  try {
    return await tool.activate()
  } catch (error) {
    return { outcome: 'refused', message: error instanceof Error ? error.message : String(error) }
  }
}
