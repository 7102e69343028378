const mostBytes = 64 * 1024 * 1024
const lineFeed = 10

/** Yields the lines of a file without their line feeds; throws at a line that is longer than any of an export. */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      size = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > mostBytes) throw new Error('a line is longer than 64 MiB')
  }
  if (size > 0) yield Buffer.concat(parts)
}
