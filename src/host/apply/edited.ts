import type { Files } from '../files.ts'
import { settleEdits, type WaitingEdit } from './edited-settle.ts'
import type { EditApplied, EditedTool, TextEdit } from './edited-tool.ts'

/** Puts an edit of a file live that people edit too, or throws with everything as it was. Edits that wait together share one reload. */
export type ApplyEdit = (tool: EditedTool, edit: TextEdit) => Promise<EditApplied>

/** Opens the one way to change files of the kind `edited`. Each tool has one queue, in this process. */
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

/** Whoever comes while a batch runs waits for the next one, which takes all that wait. */
function openQueue(files: Files, tool: EditedTool): (edit: TextEdit) => Promise<EditApplied> {
  let waiting: WaitingEdit[] = []
  let isRunning = false
  const drain = async () => {
    isRunning = true
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve)) // lets edits of the same moment join
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
