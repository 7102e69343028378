import type { Files, PreparedFile } from '../files.ts'
import { type LiveFile, prepareText, readLive } from './edited-file.ts'
import type { EditedTool } from './edited-tool.ts'

interface Checking {
  readonly files: Files
  readonly tool: EditedTool
  readonly live: LiveFile
}

/** A text that the checker accepts, written next to the live file, or the checker's message with the name of the live file. */
type Checked = { readonly candidate: PreparedFile } | { readonly refused: string }

/** Writes a text next to the live file and runs the tool's checker on it; a rejected candidate is removed. */
export async function prepareChecked({ files, tool, live }: Checking, text: string): Promise<Checked> {
  const candidate = await prepareText(files, tool, text, live)
  let isAccepted = false
  try {
    const message = await tool.check(candidate.preparedPath)
    isAccepted = message === undefined
    return message === undefined
      ? { candidate }
      : { refused: message.replaceAll(candidate.preparedPath, tool.path) }
  } finally {
    if (!isAccepted) await candidate.discard()
  }
}

/** Returns the checker's message on a possible text of the file, for a plan. */
export async function refusalOf(
  files: Files,
  tool: EditedTool,
  text: string,
): Promise<{ readonly refused?: string }> {
  const checked = await prepareChecked({ files, tool, live: await readLive(files, tool.path) }, text)
  if ('refused' in checked) return checked
  await checked.candidate.discard()
  return {}
}
