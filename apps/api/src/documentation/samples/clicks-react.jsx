import { useEffect, useState } from 'react';

/** The lead reference of the visitor, as soon as there is one. */
export const useLeadReference = () => {
  const [reference, setReference] = useState('');
  useEffect(() => {
    const listen = ({ detail }) => setReference(detail);
    document.addEventListener('leadback:reference', listen);
    // nothing if the script is blocked
    window.leadback?.reference().then((known) => setReference(known ?? ''));
    return () => document.removeEventListener('leadback:reference', listen);
  }, []);
  return reference;
};

export const SignUp = () => (
  <form action="/thanks">
    <input type="hidden" name="leadReference" value={useLeadReference()} readOnly />
    <button>Sign up</button>
  </form>
);
