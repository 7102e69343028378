import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { Diff } from '../../../../web/kit/Diff.tsx'
import { unifiedDiff } from '../../../../core/unified-diff.ts'
import { Failure, Loading } from '../../../../web/kit/states.tsx'
import { shown } from '../names.ts'
import { readFile, type Whose } from '../queries.ts'

interface SaveConflictProps {
  readonly whose: Whose
  readonly path: string
  readonly mine: string
  readonly onOverwrite: (etag: string) => void
  readonly onReload: () => void
  readonly onClose: () => void
}

/** Says that the file has changed, shows what saving would change in it, and lets the reader decide. */
export function SaveConflict({ whose, path, mine, onOverwrite, onReload, onClose }: SaveConflictProps) {
  const theirs = useQuery({
    queryKey: ['conflict', whose, path],
    queryFn: ({ signal }) => readFile(whose, path, signal),
    gcTime: 0,
    staleTime: 0,
  })
  const text = theirs.data?.encoding === 'base64' ? undefined : theirs.data?.content
  const diff = text === undefined ? undefined : unifiedDiff(shown(path), text, mine)
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title="The file has changed"
      closeButtonProps={{ 'aria-label': 'Continue editing' }}
    >
      <Stack gap="md">
        <Text size="sm" role="alert">
          Another user saved it since you opened it. Below are the changes that your version would make.
        </Text>
        {theirs.isPending && <Loading rows={3} />}
        {theirs.error && <Failure error={theirs.error} onRetry={() => void theirs.refetch()} />}
        {diff && <Diff path={shown(path)} diff={diff} />}
        {diff === '' && <Text size="sm">No differences: it was saved with the same text.</Text>}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            Continue editing
          </Button>
          <Button variant="default" onClick={onReload}>
            Load theirs, discard mine
          </Button>
          <Button
            color="red.9"
            disabled={!theirs.data}
            onClick={() => theirs.data && onOverwrite(theirs.data.etag)}
          >
            Overwrite with mine
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
