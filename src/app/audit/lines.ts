const mostBytes = 64 * 1024 * 1024
const lineFeed = 10

/** Yields the lines of a file without their line feeds; ends with an empty one in place of one longer than any of an export. */
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
    if (size > mostBytes) return void (yield Buffer.alloc(0))
  }
  if (size > 0) yield Buffer.concat(parts)
}
