import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import type { CoreUpdateDraft, WordPress } from '../model.ts'
import { wordpress } from './api.ts'
import { limitMs } from './limits.ts'
import { readWordPressAgain } from './queries.ts'
import { UpdateFromDialog } from './UpdateFromDialog.tsx'

/** The version of WordPress itself, with its known update and the buttons that install one. */
export function CoreVersion({ found }: { readonly found: WordPress }) {
  const { website_id: id, version, new_version: next } = found
  const [asked, setAsked] = useState<'update' | 'update-from'>()
  const close = () => setAsked(undefined)
  const callOf = (body: CoreUpdateDraft) => wordpress.updateCore({ params: { id }, body, limitMs })
  return (
    <>
      {version ?? 'Unknown'}
      {next !== null && (
        <Text size="xs" c="dimmed">
          {next} is available
        </Text>
      )}
      <Group gap="xs" mt={4}>
        {next !== null && (
          <Button
            size="xs"
            variant="default"
            aria-label="Update WordPress"
            onClick={() => setAsked('update')}
          >
            Update
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          aria-label="From archive: WordPress"
          onClick={() => setAsked('update-from')}
        >
          From archive
        </Button>
      </Group>
      {asked === 'update' && (
        <ChangeDialog
          title="Update WordPress"
          confirmLabel="Update"
          call={callOf({ check_site: true })}
          onClose={close}
          onDone={async () => {
            close()
            notify('WordPress was updated.')
            await readWordPressAgain()
          }}
          onFailed={() => readWordPressAgain()}
        />
      )}
      {asked === 'update-from' && <UpdateFromDialog title="WordPress" callOf={callOf} onClose={close} />}
    </>
  )
}
