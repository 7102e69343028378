/** Splits a stream into lines; what exceeds the limit of a line is dropped. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string> {
  let begun = Buffer.alloc(0)
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk)
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([begun, rest.subarray(0, end)]).subarray(0, maxBytes)
      begun = Buffer.alloc(0)
      rest = rest.subarray(end + 1)
      if (line.length > 0) yield line.toString()
    }
    begun = Buffer.concat([begun, rest]).subarray(0, maxBytes)
  }
  if (begun.length > 0) yield begun.toString()
}
