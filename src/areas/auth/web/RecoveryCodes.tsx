import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows fresh recovery codes, one on each line, until they are copied or downloaded. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <OnceShownDialog
      title="Recovery codes"
      label="list of codes"
      secret={codes.join('\n')}
      fileName="hostreeve-recovery-codes.txt"
      onClose={onClose}
    />
  )
}
