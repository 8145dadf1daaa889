// The AWS SDK reads it, not the configuration, when its first client is made. Which Node.js later versions of it need is
// for who updates it here, not for operators, who have the version that this one comes with.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
