interface Violation {
  readonly field?: string;
  readonly reason: string;
  readonly description?: string;
}

/** An error body in the format of the Data Manager API. */
export const googleError = (code: number, status: string, reason = status, violations: readonly Violation[] = []) => ({
  error: {
    code,
    status,
    message: 'words',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'datamanager.googleapis.com' },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r1' },
      ...(violations.length > 0
        ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations }]
        : []),
    ],
  },
});
