import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { webacl } from './api.ts'
import { done, useEntries } from './queries.ts'

interface EntriesDialogProps {
  readonly website: number
  readonly name: string
  readonly onClose: () => void
}

const mostShown = 500

/** The entries of a group, each with a button that removes it. */
export function EntriesDialog({ website, name, onClose }: EntriesDialogProps) {
  const { data, error, refetch, isPending } = useEntries(website, name)
  const [removed, setRemoved] = useState<string>()
  const close = () => setRemoved(undefined)
  if (removed !== undefined)
    return (
      <ChangeDialog
        title={`Remove ${removed} from ${name}`}
        confirmLabel="Remove"
        isCutOff
        call={webacl.deleteIpEntry({
          params: { ip: removed },
          query: { website_id: website, group: name },
        })}
        onClose={close}
        onDone={() => done(close, `${removed} was removed.`)}
      />
    )
  return (
    <Modal opened onClose={onClose} title={`Entries of ${name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap={4}>
        {isPending && <Loading />}
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && <Text size="sm">No entries yet.</Text>}
        {data?.slice(0, mostShown).map(({ id, ip_or_subnet: entry }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm" ff="monospace" className="anywhere">
              {entry}
            </Text>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Remove ${entry}`}
              onClick={() => setRemoved(entry)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {data !== undefined && data.length > mostShown && (
          <Text size="xs" c="dimmed">
            and {data.length - mostShown} more
          </Text>
        )}
        <DialogFooter>
          <Button variant="default" data-autofocus onClick={onClose}>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
