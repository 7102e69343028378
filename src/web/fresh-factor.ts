type Ask = () => Promise<boolean>

const nobody: Ask = async () => false
let ask = nobody
let asking: Promise<boolean> | undefined

/** Sets who asks for a code of the second factor; returns the end of that. */
export function onFactorAsked(next: Ask): () => void {
  ask = next
  return () => (ask = nobody)
}

/** Asks for a code, once for all calls that need one; true if the session has confirmed it. */
export function confirmFactor(): Promise<boolean> {
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}
