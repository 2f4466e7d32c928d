/** The URL of a local broker for a user, whose password is the name. */
export const asBrokerUser = (url: string, user: string): string => {
  const own = new URL(url);
  own.username = user;
  own.password = user;
  return own.href;
};
