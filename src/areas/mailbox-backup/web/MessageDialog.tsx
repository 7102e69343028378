import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { formatBytes, formatMoment } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { textOf } from '../../../web/wire.ts'
import type { MailMessage } from '../model.ts'
import { mailboxBackup } from './api.ts'
import { useAttachments } from './queries.ts'
import { framed, latin1Of, readMime } from './read-mime.ts'
import { RestoreDialog } from './RestoreDialog.tsx'
import { download, readBytes } from './transfer.ts'

const mostShownBytes = 25 * 1024 * 1024

interface MessageProps {
  readonly email: string
  readonly message: MailMessage
}

/** A message with its attachments. Its HTML is shown in a frame that runs and loads nothing. */
export function MessageDialog({ email, message, onClose }: MessageProps & { readonly onClose: () => void }) {
  const { id, subject, from_name, from_email, to_emails, date, folder, status } = message
  const [isRestoring, setRestoring] = useState(false)
  const save = () => {
    const call = mailboxBackup.downloadMailMessage({ params: { email, msgId: id } })
    download(call, `${subject || 'no subject'}.eml`).catch(tell)
  }
  if (isRestoring)
    return (
      <RestoreDialog
        email={email}
        title="Restore a message"
        chosen={{ message_ids: [id] }}
        onClose={() => setRestoring(false)}
      />
    )
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={subject || '(no subject)'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <div>
          <Field name="From" value={from_name === '' ? from_email : `${from_name} <${from_email}>`} />
          <Field name="To" value={to_emails} />
          <Field name="Received" value={formatMoment(date)} />
          <Field name="Folder" value={status === 'deleted' ? `${folder}, deleted in the mailbox` : folder} />
        </div>
        <Attachments email={email} message={message} />
        <MessageText email={email} message={message} />
        <DialogFooter>
          <Button variant="default" onClick={() => setRestoring(true)}>
            Restore
          </Button>
          <Button variant="default" onClick={save}>
            Download as .eml
          </Button>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

const Field = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Text size="sm" className="anywhere">
    <Text span inherit c="dimmed">
      {name}:
    </Text>{' '}
    {value || '–'}
  </Text>
)

const tell = (error: unknown) => notify(textOf(error), true)

function Attachments({ email, message: { id } }: MessageProps) {
  const { data, error } = useAttachments(email, id)
  if (error && !data) return <Failure error={error} />
  if (!data || data.attachments.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label="Attachments">
      {data.attachments.map(({ id: attachId, filename, size }) => (
        <Button
          key={attachId}
          size="compact-sm"
          variant="light"
          className="anywhere"
          onClick={() => {
            const call = mailboxBackup.downloadMailAttachment({ params: { email, attachId } })
            download(call, filename).catch(tell)
          }}
        >
          {filename} ({formatBytes(size)})
        </Button>
      ))}
    </Group>
  )
}

function MessageText({ email, message: { id, subject } }: MessageProps) {
  const { data, error } = useQuery({
    queryKey: ['mailbox-backup', 'text', email, id],
    queryFn: async ({ signal }) => {
      const call = mailboxBackup.downloadMailMessage({ params: { email, msgId: id } })
      const bytes = await readBytes(call, signal)
      if (bytes.size > mostShownBytes) return { html: undefined, plain: undefined }
      return readMime(latin1Of(new Uint8Array(await bytes.arrayBuffer())))
    },
  })
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.html !== undefined)
    return (
      <iframe
        title={`Text of ${subject || 'the message'}`}
        sandbox=""
        srcDoc={framed(data.html)}
        referrerPolicy="no-referrer"
        style={{ width: '100%', height: '50vh', border: 0, background: 'white' }}
      />
    )
  if (data.plain !== undefined)
    return (
      <Text component="pre" size="sm" className="anywhere" style={{ whiteSpace: 'pre-wrap' }}>
        {data.plain}
      </Text>
    )
  return <Text c="dimmed">This message has no text that can be shown here: download it.</Text>
}
