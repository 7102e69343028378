import type { FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

const lookMs = 200
const chunkBytes = 64 * 1024

/** Receives a line of a program's output, without its end. */
export type OnLine = (line: string) => void

/**
 * Passes on the lines that a program appends to files, each file up to `maxBytes`, until the returned function
 * is called: it passes on the rest.
 */
export function followFiles(
  files: readonly FileHandle[],
  onLine: OnLine,
  maxBytes: number,
): () => Promise<void> {
  const readers = files.map((file) => readerOf(file, onLine, maxBytes))
  let reading: Promise<unknown> = Promise.resolve()
  const readAll = async () => {
    for (const { read } of readers) await read()
  }
  const read = () => (reading = reading.then(readAll, readAll))
  const timer = setInterval(() => void read().catch(() => {}), lookMs) // the last read reports the failure
  return async () => {
    clearInterval(timer)
    await read()
    for (const { end } of readers) end()
  }
}

function readerOf(file: FileHandle, onLine: OnLine, maxBytes: number) {
  const decoder = new StringDecoder('utf8')
  let position = 0
  let begun = ''
  const take = (text: string) => {
    const lines = (begun + text).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) onLine(lastState(line))
  }
  const read = async () => {
    while (position < maxBytes) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, maxBytes - position))
      const { bytesRead } = await file.read(chunk, { position })
      if (bytesRead === 0) return
      position += bytesRead
      take(decoder.write(chunk.subarray(0, bytesRead)))
    }
  }
  const end = () => {
    if (begun !== '') onLine(lastState(begun))
    begun = ''
  }
  return { read, end }
}

/** A program that shows its progress rewrites its line: each carriage return begins it again. */
const lastState = (line: string): string => {
  const text = line.replace(/\r+$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}
