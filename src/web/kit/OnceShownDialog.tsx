import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { Copyable } from './Copyable.tsx'
import { DialogFooter } from './DialogFooter.tsx'

interface OnceShownDialogProps {
  readonly title: string
  /** The name of the secret, as in "API key". */
  readonly label: string
  readonly secret: string
  /** The name of the text file that it can be kept in; absent where it is only copied. */
  readonly fileName?: string
  readonly onClose: () => void
}

/** Shows a secret that the panel cannot show again; it stays until it is copied or its loss is confirmed. */
export function OnceShownDialog({ title, label, secret, fileName, onClose }: OnceShownDialogProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useBlocker({
    shouldBlockFn: () => {
      setAsking(!isCopied)
      return !isCopied
    },
    enableBeforeUnload: () => !isCopied,
  })
  return (
    <Modal
      opened
      onClose={() => (isCopied ? onClose() : setAsking(true))}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Alert color="orange" title="Copy it now">
          The {label} is not shown again.
        </Alert>
        <Copyable value={secret} label={label} hasFocus onCopy={() => (setCopied(true), setAsking(false))} />
        {fileName !== undefined && (
          <Button
            variant="default"
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${secret}\n`)}`}
            download={fileName}
            onClick={() => (setCopied(true), setAsking(false))}
          >
            Download
          </Button>
        )}
        {isAsking && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            You have not copied the {label}. It is lost when you close this.
          </Text>
        )}
        <DialogFooter>
          {isAsking && (
            <Button color="red.9" onClick={onClose}>
              Close without copying
            </Button>
          )}
          {!isAsking && (
            <Button onClick={onClose} disabled={!isCopied}>
              Done
            </Button>
          )}
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
