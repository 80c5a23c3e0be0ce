package dev.ttlstore.spring.test;

class NewStoreInOneClassTests extends NewStore {}
