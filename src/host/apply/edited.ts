import type { Files } from '../files.ts'
import { settleEdits, type WaitingEdit } from './edited-settle.ts'
import type { EditApplied, EditedTool, TextEdit } from './edited-tool.ts'

/** Activates an edit of a file that people edit too, or throws with everything unchanged. Waiting edits share one reload. */
export type ApplyEdit = (tool: EditedTool, edit: TextEdit) => Promise<EditApplied>

/** Opens the only way to change files of the kind `edited`. Each tool has one queue, in this process. */
export function openApplyEdit(files: Files): { readonly applyEdit: ApplyEdit } {
  const queues = new Map<string, ReturnType<typeof openQueue>>()
  return {
    applyEdit: (tool, edit) => {
      const queue = queues.get(tool.name) ?? openQueue(files, tool)
      queues.set(tool.name, queue)
      return queue(edit)
    },
  }
}

/** Edits that arrive while a batch runs wait for the next one, which takes all of them. */
function openQueue(files: Files, tool: EditedTool): (edit: TextEdit) => Promise<EditApplied> {
  let waiting: WaitingEdit[] = []
  let isRunning = false
  const drain = async () => {
    isRunning = true
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve)) // lets edits of the same tick join
      const batch = waiting
      waiting = []
      await settleEdits(files, tool, batch)
    }
    isRunning = false
  }
  return (edit) => {
    const { promise, resolve, reject } = Promise.withResolvers<EditApplied>()
    waiting.push({ edit, resolve, reject })
    if (!isRunning) void drain()
    return promise
  }
}
