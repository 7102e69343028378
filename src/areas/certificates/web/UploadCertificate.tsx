import { Button, Modal, Stack, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Failure } from '../../../web/kit/states.tsx'

interface UploadCertificateProps {
  readonly error: unknown
  readonly isSending: boolean
  readonly onClose: () => void
  readonly onSend: (pem: { readonly certificate: string; readonly key: string }) => void
}

/** Takes a certificate with its chain, and its key, as text. */
export function UploadCertificate({ error, isSending, onClose, onSend }: UploadCertificateProps) {
  const [certificate, setCertificate] = useState('')
  const [key, setKey] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend({ certificate, key })
  }
  const shared = { rows: 6, spellCheck: false, autoComplete: 'off', required: true } as const
  return (
    <Modal
      opened
      onClose={onClose}
      title="Upload a certificate"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          {error !== null && <Failure error={error} />}
          <Textarea
            {...shared}
            data-autofocus
            label="Certificate"
            description="PEM, with its chain"
            value={certificate}
            onChange={(event) => setCertificate(event.currentTarget.value)}
          />
          <Textarea
            {...shared}
            label="Key"
            description="PEM, without a passphrase"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isSending}
              disabled={certificate.trim() === '' || key.trim() === ''}
            >
              Upload
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  )
}
