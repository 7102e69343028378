import { KeyedMutex } from '../../core/keyed-mutex.ts'
import type { Files } from '../files.ts'
import { settleEdits, type WaitingEdit } from './edited-settle.ts'
import type { EditApplied, EditedTool, TextEdit } from './edited-tool.ts'

/** Activates an edit of a file that people edit too, or throws with everything unchanged. Waiting edits share one reload. */
export type ApplyEdit = (tool: EditedTool, edit: TextEdit) => Promise<EditApplied>

/** Opens the only way to change files of the kind `edited`. Each file has one queue, and each tool one lock, in this process. */
export function openApplyEdit(
  files: Files,
  locks = new KeyedMutex<string>(),
): { readonly applyEdit: ApplyEdit } {
  const queues = new Map<string, ReturnType<typeof openQueue>>()
  return {
    applyEdit: (tool, edit) => {
      const queue = queues.get(tool.path) ?? openQueue(files, tool, locks)
      queues.set(tool.path, queue)
      return queue(edit)
    },
  }
}

/** Edits that arrive while a batch runs wait for the next one, which takes all of them. */
function openQueue(
  files: Files,
  tool: EditedTool,
  locks: KeyedMutex<string>,
): (edit: TextEdit) => Promise<EditApplied> {
  let waiting: WaitingEdit[] = []
  let isRunning = false
  const settleWaiting = async () => {
    await new Promise((resolve) => setImmediate(resolve)) // lets edits of the same tick join
    const batch = waiting
    waiting = []
    await settleEdits(files, tool, batch)
  }
  const drain = async () => {
    isRunning = true
    while (waiting.length > 0) await locks.run(tool.name, settleWaiting)
    isRunning = false
  }
  return (edit) => {
    const { promise, resolve, reject } = Promise.withResolvers<EditApplied>()
    waiting.push({ edit, resolve, reject })
    if (!isRunning) void drain()
    return promise
  }
}
