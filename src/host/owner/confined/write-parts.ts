import type { FileHandle } from 'node:fs/promises'

/** Writes buffers one after the other with as few system calls as possible; returns their size in bytes. */
export async function writeParts(
  file: FileHandle,
  parts: readonly Buffer[],
  position: number,
): Promise<number> {
  const { bytesWritten } = await file.writev([...parts], position)
  const sizeBytes = sizeOf(parts)
  if (bytesWritten < sizeBytes)
    await writeRest(file, Buffer.concat(parts).subarray(bytesWritten), position + bytesWritten)
  return sizeBytes
}

/** Returns the total size of buffers in bytes. */
export function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

// A disk that becomes full accepts a part, and reports the error only at the next call.
async function writeRest(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}
