import { Button, Modal, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import type { SignInLink, WordPress } from '../model.ts'
import { wordpress } from './api.ts'

interface SignInDialogProps {
  readonly found: WordPress
  readonly onClose: () => void
}

/** Makes a link that signs an administrator in once. */
export function SignInDialog({ found, onClose }: SignInDialogProps) {
  const { website_id: id, administrators, domain } = found
  const [user, setUser] = useState(administrators[0] ?? '')
  const making = useMutation({
    mutationFn: () => run(wordpress.createSignInLink({ params: { id }, body: { user } })),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Sign in to ${domain}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {making.data ? (
        <MadeLink made={making.data} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <NativeSelect
            label="Administrator"
            data={administrators}
            value={user}
            onChange={({ currentTarget }) => setUser(currentTarget.value)}
          />
          {making.error && <Failure error={making.error} />}
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={making.isPending} onClick={() => making.mutate()} data-autofocus>
              Make the link
            </Button>
          </DialogFooter>
        </Stack>
      )}
    </Modal>
  )
}

function MadeLink({ made, onClose }: { readonly made: SignInLink; readonly onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">The link signs {made.user} in once, within five minutes. It is not shown again.</Text>
      <Copyable value={made.link} label="link" />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          component="a"
          href={made.link}
          target="_blank"
          rel="noreferrer"
          onClick={onClose}
          data-autofocus
        >
          Open WordPress
        </Button>
      </DialogFooter>
    </Stack>
  )
}
