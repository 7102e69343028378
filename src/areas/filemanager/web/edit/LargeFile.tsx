import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../../../../web/kit/format.ts'
import { Loading } from '../../../../web/kit/states.tsx'
import { readPart, type Whose } from '../queries.ts'
import { findLine } from './find-line.ts'
import { PartOfFile } from './PartOfFile.tsx'

const countedBytes = 8 * 1024 * 1024
const limitBytes = 256 * 1024 * 1024

interface LargeFileProps {
  readonly whose: Whose
  readonly path: string
  readonly sizeBytes: number
  readonly line: number | undefined
}

/** Shows a text that is too large for the editor, at the requested line or at its end. */
export function LargeFile({ whose, path, sizeBytes, line = 0 }: LargeFileProps) {
  const found = useQuery({
    queryKey: ['file', whose, path, 'line', line],
    queryFn: async ({ signal }) =>
      (await findLine((start) => readPart(whose, path, start, countedBytes, signal), line, limitBytes)) ??
      null,
    enabled: line > 0,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  if (line > 0 && found.isPending)
    return (
      <>
        <Text size="sm" c="dimmed" role="status" mb="xs">
          Looking for line {line.toLocaleString()} …
        </Text>
        <Loading rows={6} />
      </>
    )
  return (
    <>
      {line > 0 && !found.data && (
        <Text size="sm" role="status" mb="xs">
          Line {line.toLocaleString()} was not found in the first{' '}
          {formatBytes(Math.min(sizeBytes, limitBytes))}: this is the end of the file.
        </Text>
      )}
      <PartOfFile whose={whose} path={path} sizeBytes={sizeBytes} first={found.data ?? undefined} />
    </>
  )
}
