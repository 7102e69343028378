import { Button, FileInput, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { previewOf } from '../../../web/kit/PlanView.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { ApiError } from '../../../web/wire.ts'
import { lbproxy } from './api.ts'

interface UploadCertificateProps {
  readonly onClose: () => void
  readonly onDone: () => unknown
}

const mostBytes = 250_000

/** Stores a certificate of the user's own, from files or as text. */
export function UploadCertificate({ onClose, onDone }: UploadCertificateProps) {
  const [domain, setDomain] = useState('')
  const [certificate, setCertificate] = useState('')
  const [key, setKey] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [call, setCall] = useState<Call>()
  const refused = (field: string) =>
    failure instanceof ApiError && failure.field === field ? failure.reason : undefined
  const look = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    const wanted = lbproxy.storeCertificate({
      body: {
        domain: domain.trim().toLowerCase(),
        certificate,
        ...(key.trim() !== '' && { key }),
      },
    })
    await run(previewOf(wanted))
      .then(() => setCall(wanted))
      .catch(setFailure)
  }
  const isElsewhere = failure !== undefined && !['domain', 'certificate', 'key'].some(refused)
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title="Upload a certificate"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        closeOnEscape={!call}
      >
        <form onSubmit={(event) => void look(event)} noValidate>
          <Stack gap="md">
            {isElsewhere && <Failure error={failure} />}
            <TextInput
              label="Domain"
              description="The name to store it under; one of the names of the certificate"
              required
              data-autofocus
              autoComplete="off"
              autoCapitalize="off"
              maxLength={253}
              value={domain}
              error={refused('domain')}
              onChange={(event) => setDomain(event.currentTarget.value)}
            />
            <PemInput
              label="Certificate"
              hint="PEM, with its chain; may contain the key"
              value={certificate}
              error={refused('certificate')}
              onChange={setCertificate}
            />
            <PemInput
              label="Key"
              hint="PEM; leave blank if the certificate file contains it"
              value={key}
              error={refused('key')}
              onChange={setKey}
            />
            <DialogFooter>
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={domain.trim() === '' || certificate.trim() === ''}>
                Review changes
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      </Modal>
      {call && (
        <ChangeDialog
          title="Upload a certificate"
          call={call}
          confirmLabel="Store the certificate"
          onClose={() => setCall(undefined)}
          onDone={onDone}
        />
      )}
    </>
  )
}

interface PemInputProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

function PemInput({ label, hint, value, error, onChange }: PemInputProps) {
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | null) => {
    setProblem(file && file.size > mostBytes ? 'This file is too large for a certificate' : undefined)
    if (file && file.size <= mostBytes) onChange(await file.text())
  }
  return (
    <Stack gap={6}>
      <FileInput
        label={`${label}: a file`}
        description={hint}
        placeholder="Choose a file"
        leftSection={<IconFile size={16} aria-hidden />}
        error={problem}
        onChange={(file) => void take(file)}
      />
      <Textarea
        aria-label={`${label}: its text`}
        placeholder={`-----BEGIN ${label === 'Key' ? 'PRIVATE KEY' : 'CERTIFICATE'}-----`}
        rows={4}
        value={value}
        error={error}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {value !== '' && (
        <Text size="xs" c="dimmed">
          {value.split('\n').length} lines
        </Text>
      )}
    </Stack>
  )
}
