import type { StreamEvent } from '../../core/reply.ts'
import type { Followed } from '../../host/follow.ts'
import type { ProbeEvent } from './model.ts'

/** A line of a program without control characters, which would move the cursor of a terminal. */
export const plainLine = (line: string): string =>
  line.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 10_000)

/** Tells the lines of a program while it runs, and how it ended. A reader that leaves ends the program. */
export async function* follow(
  { lines, result }: Followed,
  missing: string,
): AsyncGenerator<StreamEvent<ProbeEvent>> {
  for await (const line of lines) yield told('line', line)
  const { code, stderr } = await result
  if (code === 127) return yield told('error', missing)
  for (const line of stderr.split('\n')) if (line.trim() !== '') yield told('line', line)
  yield told('end', code === 0 ? '' : `The program ended with the status ${code}`)
}

const told = (type: ProbeEvent['type'], message: string): StreamEvent<ProbeEvent> => ({
  value: { type, message: plainLine(message) },
})
