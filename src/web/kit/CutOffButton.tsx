import { Button, type ButtonProps } from '@mantine/core'

interface CutOffButtonProps extends ButtonProps {
  readonly onClick: () => void
  readonly 'aria-label'?: string
}

/** The button of an action that cuts visitors or users off: suspend, stop, disable, delete, end. */
export const CutOffButton = (props: CutOffButtonProps) => <Button variant="light" color="red" {...props} />
