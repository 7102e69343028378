import type { Files } from '../files.ts'
import { type LiveFile, prepareText, readLive } from './edited-file.ts'
import type { EditedTool } from './edited-tool.ts'

interface Checking {
  readonly files: Files
  readonly tool: EditedTool
  readonly live: LiveFile
}

/** Returns the checker's message on a text, with the name of the live file; undefined when it accepts the text. */
export async function checkText({ files, tool, live }: Checking, text: string): Promise<string | undefined> {
  const candidate = await prepareText(files, tool.path, text, live)
  try {
    const message = await tool.check(candidate.preparedPath)
    return message?.replaceAll(candidate.preparedPath, tool.path)
  } finally {
    await candidate.discard()
  }
}

/** Returns the checker's message on a possible text of the file, for a plan. */
export async function refusalOf(
  files: Files,
  tool: EditedTool,
  text: string,
): Promise<{ readonly refused?: string }> {
  const refused = await checkText({ files, tool, live: await readLive(files, tool.path) }, text)
  return refused === undefined ? {} : { refused }
}
