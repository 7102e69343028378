import { lstat } from 'node:fs/promises'
import { about, Refusal, type DirsizeCall } from './calls.ts'
import { local } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import { codeOfMessage, runTool } from './tool.ts'
import type { CallRun } from './session.ts'

/** Returns the figure of `du -sb`: apparent sizes of everything below a folder and of the folders themselves, hard links once. */
export async function sizeOfFolder(call: DirsizeCall, run: CallRun): Promise<{ bytes: number }> {
  const path = bare(call.path)
  if (!(await lstat(local(path)).catch(about(call.path))).isDirectory())
    throw new Refusal('ENOTDIR', call.path)
  let [folders, last] = [0, '']
  const stop = noting(run, () => ({ entries: folders, bytes: 0, readBytes: 0, archiveBytes: 0 }))
  const onOutput = (part: Buffer) => {
    const records = (last + part.toString('latin1')).split('\0')
    folders += records.length - 1
    last = records.slice(-2).join('\0') // the total is the last complete record
  }
  try {
    // du reports every folder, not only the sum, as a sign of progress. The path goes by stdin, which accepts any bytes.
    const done = await runTool(
      'du',
      ['--bytes', '--null', '--files0-from=-'],
      { input: Buffer.from(`./${path}\0`, 'latin1'), onOutput },
      run,
    )
    const message = done.message
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('No such file or directory'))
    if (done.code !== 0 && message.length > 0)
      throw new Refusal(codeOfMessage(message[0] ?? ''), path, message[0])
  } finally {
    stop()
  }
  return { bytes: Number(last.split('\0')[0]?.split('\t')[0]) }
}
